/** The service's time, estimated from what it tells; monotonic, whatever this machine's clock does. */

export class ServiceClock {
  #least = -Infinity;
  #most = Infinity;

  /** Whether the service has told its time. */
  get known() {
    return this.#least > -Infinity;
  }

  /** Milliseconds since 1970; this machine's time as long as the service's is not known. */
  now() {
    if (!this.known) return Date.now();
    return performance.now() + (this.#most < Infinity ? (this.#least + this.#most) / 2 : this.#least);
  }

  /** Nothing that was known holds any longer: this machine may have slept. */
  forget() {
    this.#least = -Infinity;
    this.#most = Infinity;
  }

  /**
   * The service told its time just now: not before we asked, where we did, and not after it arrived.
   *
   * @param {string} instant
   * @param {number | null} asked As `performance.now()` told it.
   */
  hear(instant, asked = null) {
    const told = Date.parse(instant);
    if (Number.isNaN(told)) return;
    const least = told - performance.now();
    const most = asked === null ? Infinity : told - asked;
    const fits = Math.max(least, this.#least) <= Math.min(most, this.#most);
    this.#least = fits ? Math.max(least, this.#least) : least;
    this.#most = fits ? Math.min(most, this.#most) : most;
  }
}
