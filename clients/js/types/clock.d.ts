/** The service's time, estimated from what it tells; monotonic, whatever this machine's clock does. */
export class ServiceClock {
    /** Whether the service has told its time. */
    get known(): boolean;
    /** Milliseconds since 1970; this machine's time as long as the service's is not known. */
    now(): number;
    /** Nothing that was known holds any longer: this machine may have slept. */
    forget(): void;
    /**
     * The service told its time just now: not before we asked, where we did, and not after it arrived.
     *
     * @param {string} instant
     * @param {number | null} asked As `performance.now()` told it.
     */
    hear(instant: string, asked?: number | null): void;
    #private;
}
