import { strict as assert } from 'node:assert'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
}

/** Checks answers against an OpenAPI document: the status is documented, and the body fits its schema. */
export class ContractCheck {
  readonly #ajv: Ajv2020
  readonly #paths: readonly { template: string; pattern: RegExp; operations: Record<string, Operation> }[]

  constructor(document: OpenApiDocument) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'openapi')
    this.#paths = Object.entries(document.paths).map(([template, operations]) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operations,
    }))
  }

  /** Throws unless the document allows this answer. */
  check(asked: string, path: string, status: number, type: string | null, body: unknown): void {
    const method = asked === 'HEAD' ? 'GET' : asked
    const [template, operation] = this.#find(method, path)
    if (!operation || !template) {
      // No route: only that itself may be answered.
      assert.ok([400, 404, 405, 431].includes(status), `${method} ${path} is not documented but answered ${status}`)
      return
    }
    const response = operation.responses[status]
    assert.ok(response, `${method} ${template} answered ${status}, which is not documented`)
    if (asked === 'HEAD') {
      assert.equal(body, undefined, `HEAD ${template} has a body`)
      return
    }
    const media = type?.split(';')[0]
    if (!response.content) {
      assert.equal(body, undefined, `${method} ${template} ${status} has a body that is not documented`)
      return
    }
    const [documented] = Object.keys(response.content)
    assert.ok(
      documented === media || documented === '*/*',
      `${method} ${template} ${status} is ${media}, documented ${documented}`,
    )
    if (!media?.endsWith('json')) return
    const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', media, 'schema']
    const ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const validate = this.#ajv.getSchema(ref)
    assert.ok(validate, `no schema at ${ref}`)
    assert.ok(
      validate(body),
      `${method} ${template} ${status}: ${this.#ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
  }

  #find(method: string, path: string): [string?, Operation?] {
    const pathname = path.split('?')[0] ?? ''
    for (const { template, pattern, operations } of this.#paths) {
      const operation = operations[method.toLowerCase()]
      if (operation && pattern.test(pathname)) return [template, operation]
    }
    return []
  }
}
