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
  return unknownIn(schema, value, '').slice(0, MAX_FIELDS)
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

function unknownIn(schema: SchemaShape, value: unknown, pointer: string): string[] {
  const found: string[] = []
  collect(schema, value, pointer, found)
  return found
}

function collect(schema: SchemaShape, value: unknown, pointer: string, found: string[]): void {
  if (found.length >= MAX_FIELDS) return
  if (schema.wrapped) collect(schema.wrapped, value, pointer, found)
  else if (schema.type === 'array' && schema.item && Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(schema.item, item, `${pointer}/${index}`, found)
  } else if (schema.type === 'variant' || schema.type === 'union') {
    const option = (schema.options as readonly SchemaShape[]).find((each) => hasKindOf(each, value))
    if (option) collect(option, value, pointer, found)
  } else if (schema.type === 'intersect') {
    const [first, ...others] = (schema.options as readonly SchemaShape[]).map((each) => unknownIn(each, value, pointer))
    found.push(...(first ?? []).filter((place) => others.every((unknown) => unknown.includes(place))))
  } else if (schema.entries && isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const place = `${pointer}/${shorten(escapePointer(name))}`
      if (Object.hasOwn(schema.entries, name)) collect(schema.entries[name] as SchemaShape, field, place, found)
      else if (!recordFields.has(name) && found.length < MAX_FIELDS) found.push(place)
    }
  }
}

/** True if the fields of an object that tell what it is, such as `kind`, are those of a schema. */
function hasKindOf({ entries }: SchemaShape, value: unknown): boolean {
  if (!entries || !isJsonObject(value)) return false
  return Object.entries(entries).every(([name, { type, literal, options = [] }]) => {
    if (type === 'literal') return value[name] === literal
    return type !== 'picklist' || value[name] === undefined || options.includes(value[name])
  })
}
