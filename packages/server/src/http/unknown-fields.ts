import { escapePointer, isJsonObject } from '@saldo/core'
import type * as v from 'valibot'

/** The most fields that are named, the longest name, and the longest header (D1.33). */
const MAX_FIELDS = 20
const MAX_NAME_LENGTH = 100
const MAX_HEADER_LENGTH = 1_000

/** Fields that the service sets; a record that is sent back has them (D2.3). */
const recordFields = new Set(['id', 'created_at', 'updated_at', 'version'])

/** The parts of a schema that lead to the schemas inside it. */
interface SchemaShape {
  type: string
  entries?: Record<string, SchemaShape>
  item?: SchemaShape
  wrapped?: SchemaShape
  options?: readonly unknown[]
  literal?: unknown
}

/** Returns the JSON pointers to fields of a JSON value that its schema does not have; at most 20. */
export function unknownFieldsOf(schema: v.GenericSchema, value: unknown): string[] {
  return unknownIn(schema, value)
}

/** Returns the names of an object's own fields that its schema does not have. */
export function unknownNamesOf(schema: v.GenericSchema, object: object): string[] {
  const parts: readonly SchemaShape[] = partsOf(schema, object)
  const isKnown = (name: string) => parts.some(({ entries = {} }) => Object.hasOwn(entries, name))
  return Object.keys(object).filter((name) => !recordFields.has(name) && !isKnown(name))
}

/** Returns a JSON value with those fields alone that its schema has, at any depth; see `unknownFieldsOf`. */
export function knownFieldsOf(schema: v.GenericSchema, value: unknown): unknown {
  return knownIn(schema, value)
}

function knownIn(schema: SchemaShape, value: unknown): unknown {
  const parts = partsOf(schema, value)
  const item = parts[0]?.item
  if (item && Array.isArray(value)) return value.map((each) => knownIn(item, each))
  // A part that names no fields may have any.
  if (!isJsonObject(value) || parts.some(({ entries }) => !entries)) return value
  const known = Object.entries(value).flatMap(([name, field]) => {
    const inner = parts.find(({ entries }) => entries && Object.hasOwn(entries, name))?.entries?.[name]
    return inner ? [[name, knownIn(inner, field)] as const] : []
  })
  return Object.fromEntries(known)
}

/** Returns the fields of a query that a route does not have, each after a `?`; at most 20. */
export function unknownQueryFieldsOf(schema: v.GenericSchema | undefined, query: object): string[] {
  const { entries = {} } = (schema ?? {}) as SchemaShape
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(entries, name))
  return unknown.slice(0, MAX_FIELDS).map((name) => `?${shorten(name)}`)
}

/** Returns the header that names unknown fields, percent-encoded; `undefined` without any. */
export function unknownFieldsHeader(fields: readonly string[]): string | undefined {
  let header = ''
  for (const field of fields.slice(0, MAX_FIELDS)) {
    const longer = `${header}${header && ', '}${encode(field)}`
    if (longer.length > MAX_HEADER_LENGTH) break
    header = longer
  }
  return header || undefined
}

/** Encodes what a header cannot have, and the comma; pointers stay readable. */
function encode(field: string): string {
  return encodeURIComponent(field.toWellFormed()).replaceAll('%2F', '/').replace(/^%3F/, '?')
}

function shorten(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH)
}

const none: string[] = []

/** Most values have no unknown field, so pointers are made only once one was found, from the inside outwards. */
function unknownIn(schema: SchemaShape, value: unknown): string[] {
  // Most values are texts and numbers.
  if (typeof value !== 'object') return none
  const parts = partsOf(schema, value)
  const item = parts[0]?.item
  if (item && Array.isArray(value)) return inside(value.keys(), (index) => unknownIn(item, value[index]))
  // A part that names no fields may have any.
  if (!isJsonObject(value) || parts.some(({ entries }) => !entries)) return none
  return inside(Object.keys(value), (name) => {
    const part = parts.find(({ entries }) => entries && Object.hasOwn(entries, name))
    if (part?.entries?.[name]) return unknownIn(part.entries[name], value[name])
    return recordFields.has(name) ? none : ['']
  })
}

/** Returns the schema of a value without what is around it, by its kind; of an intersection, that of each part. */
function partsOf(schema: SchemaShape, value: unknown): readonly SchemaShape[] {
  if (schema.wrapped) return partsOf(schema.wrapped, value)
  const options = schema.options as readonly SchemaShape[]
  if (schema.type === 'intersect') return options.flatMap((each) => partsOf(each, value))
  if (schema.type !== 'variant' && schema.type !== 'union') return [schema]
  const option = options.find((each) => hasKindOf(each, value))
  return option ? partsOf(option, value) : [schema]
}

/** Returns the unknown fields inside each of some members, by the pointers of the whole; at most 20. */
function inside<Key extends string | number>(keys: Iterable<Key>, unknownAt: (key: Key) => string[]): string[] {
  let found = none
  for (const key of keys) {
    const places = unknownAt(key)
    if (places.length === 0) continue
    found = [...found, ...places.map((place) => `/${shorten(escapePointer(`${key}`))}${place}`)].slice(0, MAX_FIELDS)
    if (found.length === MAX_FIELDS) break
  }
  return found
}

/** True if the fields of an object that tell what it is, such as `kind`, are those of a schema. */
function hasKindOf({ entries }: SchemaShape, value: unknown): boolean {
  if (!entries || !isJsonObject(value)) return false
  return Object.entries(entries).every(([name, { type, literal, options = [] }]) => {
    if (type === 'literal') return value[name] === literal
    return type !== 'picklist' || value[name] === undefined || options.includes(value[name])
  })
}
