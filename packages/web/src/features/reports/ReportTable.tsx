import { Button } from '@mantine/core'
import type { ReportLine } from '@saldo/core'
import { type CSSProperties, memo, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ProjectName, projectColour } from '../../domain/entries/ProjectName.tsx'
import type { ReportQuery } from '../../domain/reports/report-query.ts'
import { useTranslation } from '../../i18n/translation.ts'
import tables from '../../ui/table.module.css'
import classes from './ReportTable.module.css'
import { lineAddress, reportFigures } from './reports-model.ts'
import { type AnsweredReport, useLineName } from './useReport.ts'

/** Number of lines shown at first, because each takes time to draw. A year of weeks fits. */
const PAGE_SIZE = 60

/** The lines of a report with a bar each, and what they add up to. On paper it is whole. */
export const ReportTable = memo(function ReportTable({
  answered: { report, query, hues },
}: {
  answered: AnsweredReport
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useLineName()
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const showAll = () => flushSync(() => setWhole(true))
    addEventListener('beforeprint', showAll)
    return () => removeEventListener('beforeprint', showAll)
  }, [])
  const { lines, repeatedMs, deductedMs, totalMs, notCountedMs } = report
  const figures = reportFigures(report)
  return (
    <div className={classes.report}>
      <table className={`${tables.figures} ${classes.table}`}>
        <caption className="visually-hidden">{t('reports.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t(`reports.group.${query.group}`)}</th>
            <th scope="col">{t('reports.entries')}</th>
            <th scope="col">{t('reports.time')}</th>
          </tr>
        </thead>
        <tbody>
          {figures.lines.slice(0, isWhole ? lines.length : PAGE_SIZE).map(({ line, shownMs, share }) => (
            <tr key={line.key}>
              <th scope="row">
                <div className={classes.line}>
                  <LineName name={nameOf(line, query.group)} line={line} query={query} hue={hues.get(line.key ?? '')} />
                  <Bar line={line} query={query} share={share} hue={hues.get(line.key ?? '')} />
                </div>
              </th>
              <td className={classes.count}>{format.number(line.entryCount)}</td>
              <td>{format.duration(shownMs)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {repeatedMs > 0 && <Sum label={t('reports.repeated')} time={format.duration(figures.repeatedMs)} />}
          {deductedMs > 0 && <Sum label={t('reports.deducted')} time={format.duration(figures.deductedMs)} />}
          <Sum label={t('reports.total')} time={format.duration(totalMs)} isTotal />
          {notCountedMs > 0 && <Sum label={t('reports.notCounted')} time={format.duration(notCountedMs)} />}
        </tfoot>
      </table>
      {lines.length > PAGE_SIZE && !isWhole && (
        <Button className={classes.more ?? ''} variant="default" onClick={() => setWhole(true)}>
          {t('reports.more')}
        </Button>
      )}
    </div>
  )
})

interface LineProps {
  line: ReportLine
  query: ReportQuery
  hue: number | undefined
}

function LineName({ name, line, query, hue }: LineProps & { name: string }) {
  const address = lineAddress(line, query)
  const text = query.group === 'project' && line.key !== null ? <ProjectName name={name} hue={hue} /> : name
  return address === undefined ? <span className={classes.none}>{text}</span> : <Link href={address}>{text}</Link>
}

/** The length of a line beside the longest. The figures say the same. */
function Bar({ line, query, share, hue }: LineProps & { share: number }) {
  const isProject = query.group === 'project' && line.key !== null
  const style = { '--share': share, ...(isProject && projectColour(hue)) } as CSSProperties
  return <div className={classes.bar} data-project={isProject || undefined} style={style} />
}

function Sum({ label, time, isTotal }: { label: string; time: string; isTotal?: boolean }) {
  return (
    <tr data-total={isTotal}>
      <th scope="row" colSpan={2}>
        {label}
      </th>
      <td>{time}</td>
    </tr>
  )
}
