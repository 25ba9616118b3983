import { generateSync, type JsonSchema } from 'json-schema-faker'
import type { Chance } from '../simulation/chance.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonSchema
}

/** An operation of an OpenAPI document. */
export interface Operation {
  method: string
  /** With parameters in braces. */
  path: string
  parameters: readonly Parameter[]
  body: JsonSchema | undefined
  /** The ways to authenticate. */
  access: 'public' | 'user' | 'session'
}

interface Described {
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  security: object[]
}

export interface Document {
  paths: Record<string, Record<string, Described>>
  components: object
}

/** Every operation that a document describes. */
export function operationsOf({ paths }: Document): Operation[] {
  const access = ['public', 'session', 'user'] as const
  return Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, { parameters = [], requestBody, security }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json'].schema,
      access: access[security.length] ?? 'user',
    })),
  )
}

/** A value that a schema of the document describes. */
export function described({ components }: Document, schema: JsonSchema, chance: Chance): unknown {
  const whole = { ...(schema as object), components }
  return generateSync(whole, { seed: chance.below(2 ** 31), maxItems: 8, optionalsProbability: chance.fraction() })
}
