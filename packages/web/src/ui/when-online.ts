/**
 * Returns a loader of a part of the app that waits for the network where there is none: a part that appears by itself,
 * such as the question about a forgotten timer, would else fail the view in which it appears.
 */
export function whenOnline<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    for (;;) {
      try {
        return await load()
      } catch (error) {
        if (navigator.onLine) throw error
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
      }
    }
  }
}
