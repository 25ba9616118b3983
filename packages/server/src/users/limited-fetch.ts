/** The most bytes of a document of a provider: its metadata and keys have a few KiB. */
const MAX_DOCUMENT_BYTES = 1_000_000

/** Fetches a document of a provider. Reading more of it than `MAX_DOCUMENT_BYTES` fails, and ends the connection. */
export async function limitedFetch(url: string | URL, options: object): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(url, options)
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > MAX_DOCUMENT_BYTES) controller.error(new Error('the document of the provider is too large'))
      else controller.enqueue(piece)
    },
  })
  return new Response(body?.pipeThrough(limit), { status, statusText, headers })
}
