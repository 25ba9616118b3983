/** The content of `fixtures/<name>.json`; `fixtures/README.md` tells its shape. */
export declare function readFixture<T>(name: string): T;
