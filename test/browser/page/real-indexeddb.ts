/** The browser's, under the names of `fake-indexeddb`. */
export const { IDBFactory, IDBKeyRange } = globalThis
