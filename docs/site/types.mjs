// The text of types in the API reference. By itself, TypeDoc shows the fields behind a type's name, and all types of
// valibot for a schema.
import { UnknownType } from 'typedoc'
import ts from 'typescript'

/** Makes an application show types by the names that the source gives them, and schemas by what they return. */
export function nameTypes({ converter }, sources) {
  const convertType = converter.convertType.bind(converter)
  let names
  converter.convertType = (context, type, node) => {
    const { checker } = context
    names ??= exportedNames(checker, sources)
    const textOf = (each) => names.get(each) ?? print(checker, names, each)
    if (node) return convertType(context, node)
    if ('kind' in type) {
      const isInferred = type.getText().startsWith('v.InferOutput<typeof ')
      return isInferred
        ? new UnknownType(print(checker, names, checker.getTypeFromTypeNode(type)))
        : convertType(context, type)
    }
    const output = outputOf(checker, type)
    return output ? new UnknownType(`v.GenericSchema<unknown, ${textOf(output)}>`) : convertType(context, type)
  }
}

/** Returns the output type of a schema, or undefined for other types. */
function outputOf(checker, type) {
  const types = type.getProperty('~types')
  const output = types && checker.getNonNullableType(checker.getTypeOfSymbol(types)).getProperty('output')
  return output && checker.getTypeOfSymbol(output)
}

const { Object: object, Union, Intersection, TemplateLiteral, Boolean: boolean, Null } = ts.TypeFlags

/** Returns the names of the exported type aliases by type. Aliases of primitive types are not among them. */
function exportedNames(checker, sources) {
  const names = new Map()
  for (const { sourceFile } of sources) {
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(sourceFile))) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (!(target.flags & ts.SymbolFlags.TypeAlias)) continue
      const type = checker.getDeclaredTypeOfSymbol(target)
      if (type.flags & (object | Union | Intersection | TemplateLiteral)) names.set(type, symbol.name)
    }
  }
  return names
}

/** Returns a type as TypeScript text, with names inside it. Leaves out index signatures. */
function print(checker, names, type) {
  const textOf = (each) => names.get(each) ?? print(checker, names, each)
  if (type.flags & boolean) return 'boolean'
  if (type.isUnion()) {
    const isLast = (each) => (each.flags & Null ? 1 : 0)
    const texts = type.types.toSorted((a, b) => isLast(a) - isLast(b)).map(textOf)
    return [...new Set(texts)].join(' | ').replace(/\b(true \| false|false \| true)\b/, 'boolean')
  }
  if (type.isIntersection()) {
    const name = type.getProperty('__name')
    if (name) return checker.getNonNullableType(checker.getTypeOfSymbol(name)).value
    const known = type.types.filter((part) => checker.getPropertiesOfType(part).length > 0)
    return known.map(textOf).join(' & ')
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type)
    return element.isUnion() && !names.has(element) ? `(${textOf(element)})[]` : `${textOf(element)}[]`
  }
  const properties = checker.getPropertiesOfType(type)
  if (!(type.flags & object) || properties.length === 0) return checker.typeToString(type)
  const fields = properties.map((property) => {
    const isOptional = property.flags & ts.SymbolFlags.Optional
    const text = textOf(checker.getTypeOfSymbol(property)).replaceAll('\n', '\n  ')
    return `  ${property.name}${isOptional ? '?' : ''}: ${isOptional ? text.replace(/^undefined \| /, '') : text}\n`
  })
  return `{\n${fields.join('')}}`
}
