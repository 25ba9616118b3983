import { createContext, type ReactNode, use } from 'react'
import { type UseTranslationResponse, useTranslation as useI18next } from 'react-i18next'

type Translation = UseTranslationResponse<'translation', undefined>

const TranslationContext = createContext<Translation | undefined>(undefined)

/** Translates for all that stands below: a component that asks i18next itself takes as long for it as for what it draws. */
export function TranslationProvider({ children }: { children: ReactNode }) {
  return <TranslationContext value={useI18next()}>{children}</TranslationContext>
}

export function useTranslation(): Translation {
  const translation = use(TranslationContext)
  if (!translation) throw new Error('no TranslationProvider above')
  return translation
}
