/** Opens a database as another program would, and does not let go of it. Without a version, at the one that it has. */
export function hold(name: string, version?: number): Promise<IDBDatabase> {
  return settled(indexedDB.open(name, version))
}

/** Returns the number of rows of a table. */
export async function count(name: string, table: string): Promise<number> {
  const database = await hold(name)
  try {
    return await settled(database.transaction(table).objectStore(table).count())
  } finally {
    database.close()
  }
}

export async function remove(name: string): Promise<void> {
  await settled(indexedDB.deleteDatabase(name))
}

export function databases(): Promise<IDBDatabaseInfo[]> {
  return indexedDB.databases()
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the request failed'))
  })
}
