export class NodeSocket {
    /**
     * @param {string} url
     * @param {string} protocol
     */
    constructor(url: string, protocol: string);
    protocol: string;
    /** @type {((event: any) => void) | null} */
    onopen: ((event: any) => void) | null;
    /** @type {((event: any) => void) | null} */
    onmessage: ((event: any) => void) | null;
    /** @type {((event: any) => void) | null} */
    onclose: ((event: any) => void) | null;
    /** @type {((event: any) => void) | null} */
    onerror: ((event: any) => void) | null;
    /** @param {string} text */
    send(text: string): void;
    close(): void;
    #private;
}
