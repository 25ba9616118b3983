import { type MailLanguage, mailLanguages } from '@saldo/core'

/** Returns the language that an `Accept-Language` header prefers (RFC 9110 §12.5.4) of those of mails, or English. */
export function acceptedLanguage(header = ''): MailLanguage {
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return { tag: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const known = wanted.toSorted((a, b) => b.weight - a.weight).filter(({ weight }) => weight > 0)
  const found = known.map(({ tag }) => mailLanguages.find((language) => language === tag))
  return found.find((language) => language !== undefined) ?? 'en'
}
