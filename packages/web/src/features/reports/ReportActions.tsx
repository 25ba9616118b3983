import { ActionIcon, Menu } from '@mantine/core'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { IconDownload, IconPrinter } from '../../ui/icons.ts'
import { saveFile } from '../../ui/save-file.ts'
import { type AnsweredReport, useLineName } from './useReport.ts'

/** Saves a report as CSV or as a workbook, and prints it. */
export function ReportActions({ answered: { report, query, range } }: { answered: AnsweredReport }) {
  const { group } = query
  const { t } = useTranslation()
  const { act } = useAct()
  const lineName = useLineName()
  const save = async (format: 'csv' | 'xlsx') => {
    const { csvOf, reportTable, workbookOf } = await import('@saldo/client/export')
    const table = reportTable(report, group, {
      nameOf: (line) => line.key ?? lineName(line, group),
      repeated: t('reports.repeated'),
      deducted: t('reports.deducted'),
    })
    const columnNames: Record<string, string> = { hours: t('reports.hours'), entries: t('reports.entries') }
    const words = {
      sheet: () => t('reports.title'),
      column: (name: string) => columnNames[name] ?? t(`reports.group.${group}`),
      total: () => t('reports.total'),
    }
    const file = format === 'csv' ? new Blob([csvOf(table)], { type: 'text/csv' }) : await workbookOf([table], words)
    saveFile(`report-${range.from}-${range.to}.${format}`, file)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Action label={t('reports.export.label')} icon={IconDownload} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void act(save('csv'))}>{t('reports.export.csv')}</Menu.Item>
          <Menu.Item onClick={() => void act(save('xlsx'))}>{t('reports.export.xlsx')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Action label={t('reports.print')} icon={IconPrinter} onClick={() => print()} />
    </>
  )
}

interface ActionProps {
  label: string
  icon: typeof IconPrinter
  onClick?: () => void
}

function Action({ label, icon: Icon, ...rest }: ActionProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label} {...rest}>
      <Icon size={20} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
