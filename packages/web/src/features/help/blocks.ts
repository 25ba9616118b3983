/** A part of a line: text, or text in a role. */
export type Inline =
  | string
  | { is: 'code'; text: string }
  | { is: 'strong' | 'em'; inside: Inline[] }
  | { is: 'link'; href: string; inside: Inline[] }

/** A part of the guide, for the app to show without markup in strings. */
export type GuideBlock =
  | { is: 'heading'; level: number; id: string; inside: Inline[] }
  | { is: 'text'; inside: Inline[] }
  | { is: 'code'; text: string }
  | { is: 'list'; isNumbered: boolean; items: GuideBlock[][] }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][] }
