import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
const MOST_COLOURS = 256

interface Chunk {
  type: string
  data: Buffer
}

/**
 * The same picture with at most 256 colours, in a third of the bytes: the most frequent colours stay, others become
 * the nearest of them. Takes what browsers make of a page: 8 bits a channel, RGB or RGBA without transparency, not
 * interlaced.
 */
export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = chunks[0]?.data as Buffer
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3]
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
  const colours = coloursOf(unfiltered(inflateSync(data), width * channels, channels), channels)
  const { palette, indices } = paletteOf(colours)
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row += 1)
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const small = Buffer.from(header)
  small[9] = 3
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    ...[
      { type: 'IHDR', data: small },
      { type: 'PLTE', data: palette },
      { type: 'IDAT', data: deflateSync(rows, { level: 9 }) },
      { type: 'IEND', data: Buffer.alloc(0) },
    ].map(bytesOf),
  ])
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function bytesOf({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Undoes PNG's filters: each row begins with the number of its own. */
function unfiltered(filtered: Buffer, rowBytes: number, channels: number): Buffer {
  const height = filtered.length / (rowBytes + 1)
  const out = Buffer.alloc(height * rowBytes)
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (rowBytes + 1)]
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column
      const left = column < channels ? 0 : (out[at - channels] as number)
      const up = row === 0 ? 0 : (out[at - rowBytes] as number)
      const corner = row === 0 || column < channels ? 0 : (out[at - rowBytes - channels] as number)
      const guesses = [0, left, up, (left + up) >> 1, nearestTo(left + up - corner, left, up, corner)]
      out[at] = (filtered[at + row + 1] as number) + (guesses[filter as number] as number)
    }
  }
  return out
}

/** PNG's Paeth predictor: of three neighbours, the one nearest to a guess. */
function nearestTo(guess: number, left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function coloursOf(pixels: Buffer, channels: number): Uint32Array {
  return Uint32Array.from({ length: pixels.length / channels }, (_, index) => pixels.readUIntBE(index * channels, 3))
}

function paletteOf(colours: Uint32Array): { palette: Buffer; indices: Buffer } {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const kept = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const indexOf = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, kept)]))
  const palette = Buffer.alloc(kept.length * 3)
  for (const [index, colour] of kept.entries()) palette.writeUIntBE(colour, index * 3, 3)
  return { palette, indices: Buffer.from(Array.from(colours, (colour) => indexOf.get(colour) as number)) }
}

function nearest(colour: number, kept: readonly number[]): number {
  const distances = kept.map((other) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}
