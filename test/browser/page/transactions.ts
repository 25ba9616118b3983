let open = 0

/** Counts the transactions of this page, from when it is called. */
export function countTransactions(): void {
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (...args) {
    const begun = transaction.apply(this, args)
    open += 1
    for (const end of ['complete', 'abort']) begun.addEventListener(end, () => (open -= 1), { once: true })
    return begun
  }
}

/**
 * Stops the page for a debugger between two transactions: a page that is stopped within one holds up all others, until
 * the browser ends it after minutes.
 */
export function stopBetweenTransactions(): void {
  if (open > 0) {
    setTimeout(stopBetweenTransactions, 1)
    return
  }
  // biome-ignore lint/suspicious/noDebugger: it is what stops the page
  debugger
}
