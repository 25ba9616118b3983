/** Hues that people tell apart, in degrees; their number is the most colours that a list can have. */
const HUES = [200, 30, 300, 145, 350, 80, 250, 110, 325, 55, 175, 275]

/** Returns the hue of a project's colour, which is the same on every device. */
export function hueOf(project: string): number {
  let hash = 7
  for (const character of project) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return HUES[hash % HUES.length] as number
}
