/** Callbacks by the name of what happens. */
/**
 * @template {{ [name: string]: any[] }} Told What each happening tells.
 */
export class Emitter<Told extends {
    [name: string]: any[];
}> {
    /**
     * Be called whenever it happens; the answer takes the callback off again.
     *
     * @template {keyof Told} Name
     * @param {Name} name
     * @param {(...told: Told[Name]) => void} callback
     * @returns {() => void}
     */
    on<Name extends keyof Told>(name: Name, callback: (...told: Told[Name]) => void): () => void;
    /**
     * Tell all; one that throws does not keep it from the others.
     *
     * @protected
     * @template {keyof Told} Name
     * @param {Name} name
     * @param {Told[Name]} told
     */
    protected emit<Name extends keyof Told>(name: Name, ...told: Told[Name]): void;
    #private;
}
