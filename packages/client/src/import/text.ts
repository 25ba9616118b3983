/**
 * Returns the text of a file: by its byte order mark, or by the zeros of UTF-16 between its first letters, else UTF-8,
 * else Windows-1252, in which Excel writes CSV on many computers. Line ends become `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replaceAll(/\r\n?/g, '\n')
}

function decode(bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes
  if ((first === 0xff && second === 0xfe) || (second === 0 && fourth === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && third === 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
