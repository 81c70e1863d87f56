/** Callbacks by the name of what happens. */

/**
 * @template {{ [name: string]: any[] }} Told What each happening tells.
 */
export class Emitter {
  /** @type {Map<keyof Told, Set<(...told: any[]) => void>>} */
  #callbacks = new Map();

  /**
   * Be called whenever it happens; the answer takes the callback off again.
   *
   * @template {keyof Told} Name
   * @param {Name} name
   * @param {(...told: Told[Name]) => void} callback
   * @returns {() => void}
   */
  on(name, callback) {
    const callbacks = this.#callbacks.get(name) ?? new Set();
    this.#callbacks.set(name, callbacks.add(callback));
    return () => void callbacks.delete(callback);
  }

  /**
   * Tell all; one that throws does not keep it from the others.
   *
   * @protected
   * @template {keyof Told} Name
   * @param {Name} name
   * @param {Told[Name]} told
   */
  emit(name, ...told) {
    for (const callback of [...(this.#callbacks.get(name) ?? [])]) {
      try {
        callback(...told);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
