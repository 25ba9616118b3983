import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the names in a file's folder durable, where the system can. */
export function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(resolve(file)), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
