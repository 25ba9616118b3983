import { useMemo } from 'react'
import { useTranslation } from '../../i18n/translation.ts'

/** Returns a function that compares by name as the language of the app sorts: "Ärzte" before "Baum". */
export function useByName(): (a: { name: string }, b: { name: string }) => number {
  const { language } = useTranslation()
  return useMemo(() => {
    const { compare } = new Intl.Collator(language, { numeric: true })
    return (a, b) => compare(a.name, b.name)
  }, [language])
}
