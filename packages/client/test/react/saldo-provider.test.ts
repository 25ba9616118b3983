import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Saldo } from '../../src/index.ts'
import { SaldoProvider, useSaldo } from '../../src/react/index.ts'

const Component = () => createElement('p', null, useSaldo().user)

test('useSaldo tells a missing provider from a provider without a device', () => {
  const child = createElement(Component)
  expect(() => renderToStaticMarkup(child)).toThrow('There is no SaldoProvider around this component.')
  const provide = (saldo: Saldo | undefined) => SaldoProvider({ saldo: saldo as Saldo, children: child })
  expect(() => renderToStaticMarkup(provide(undefined))).toThrow('SaldoProvider has no `saldo` yet')
  expect(renderToStaticMarkup(provide({ user: 7 } as Saldo))).toBe('<p>7</p>')
})
