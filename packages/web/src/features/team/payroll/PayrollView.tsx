import { datesOfMonth, monthAfter, monthOf } from '@saldo/core'
import { useParams } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { PeriodHeader } from '../../../ui/PeriodHeader.tsx'
import { NotFound, ViewHeader } from '../../../ui/ViewHeader.tsx'
import { PartLinks } from '../PartLinks.tsx'
import { FilesPart } from './FilesPart.tsx'
import { MappingPart } from './MappingPart.tsx'
import classes from './PayrollView.module.css'
import { PersonnelPart } from './PersonnelPart.tsx'
import { type PayrollPlace, parsePayrollPlace, payrollParts } from './payroll-model.ts'

/** Payroll for HR and the payroll role: the files of a month, personnel data, and how files are made (D31). */
export default function PayrollView() {
  const { t } = useTranslation()
  const { part } = useParams<{ part?: string }>()
  const place = parsePayrollPlace(part, useToday())
  if (!place) return <NotFound />
  return (
    <div className={classes.view}>
      <Header place={place} />
      <PartLinks
        label={t('team.payroll.parts')}
        parts={payrollParts.map((name) => ({
          href: name === 'files' ? '/team/payroll' : `/team/payroll/${name}`,
          text: t(`team.payroll.part.${name}`),
          isHere: name === place.part,
        }))}
      />
      <Part place={place} />
    </div>
  )
}

function Part({ place }: { place: PayrollPlace }) {
  switch (place.part) {
    case 'files':
      return <FilesPart key={place.month} month={place.month} />
    case 'personnel':
      return <PersonnelPart />
    case 'mapping':
      return <MappingPart />
  }
}

function Header({ place }: { place: PayrollPlace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const lastMonth = monthAfter(monthOf(useToday()), -1)
  if (place.part !== 'files') return <ViewHeader title={t(`team.payroll.part.${place.part}`)} />
  const pathTo = (by: number) => `/team/payroll/${monthAfter(place.month, by)}`
  return (
    <PeriodHeader
      title={format.date(datesOfMonth(place.month).from, 'month')}
      subtitle={t('team.page.payroll')}
      before={{ href: pathTo(-1), label: t('team.away.before') }}
      after={{ href: pathTo(1), label: t('team.away.after') }}
      now={{ href: '/team/payroll', label: t('team.board.last'), isShown: place.month === lastMonth }}
    />
  )
}
