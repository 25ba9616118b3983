import { useTranslation } from 'react-i18next'
import type { Compared } from '../facts.ts'
import classes from './Sides.module.css'

interface Props {
  rows: readonly Compared[]
  isMineDeleted: boolean
  isTheirsDeleted: boolean
}

/** Mine and theirs, field by field. What differs is bold, and says so to who cannot see it. */
export function Sides({ rows, isMineDeleted, isTheirsDeleted }: Props) {
  const { t } = useTranslation()
  const nameOf = (name: string, isDeleted: boolean) => (isDeleted ? t('sync.overridden.deleted', { name }) : name)
  return (
    <table className={classes.sides}>
      <thead>
        <tr>
          <td />
          <th scope="col">{nameOf(t('sync.overridden.mine'), isMineDeleted)}</th>
          <th scope="col">{nameOf(t('sync.overridden.theirs'), isTheirsDeleted)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, mine, theirs }) => (
          <tr key={field} data-differs={mine !== theirs || undefined}>
            <th scope="row">
              {t(field)}
              {mine !== theirs && <span className="visually-hidden"> {t('sync.overridden.differs')}</span>}
            </th>
            <td>{mine ?? '–'}</td>
            <td>{theirs ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
