import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useTranslation } from '../../i18n/translation.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { ExportForm } from './export/ExportForm.tsx'
import classes from './ImportExportView.module.css'
import { BatchList } from './import/BatchList.tsx'
import { FileChooser } from './import/FileChooser.tsx'
import { ImportDone } from './import/ImportDone.tsx'
import { ImportPreviewForm } from './import/ImportPreviewForm.tsx'
import { ImportProgress } from './import/ImportProgress.tsx'
import { useImport } from './import/useImport.ts'

/** Imports files of other tools, and exports the account. */
export default function ImportExportView() {
  const { t } = useTranslation()
  const actions = useImport()
  const { state } = actions
  return (
    <div className={classes.view}>
      <div>
        <Anchor component={Link} href="/settings" size="sm">
          ‹ {t('settings.title')}
        </Anchor>
        <ViewHeader title={t('importExport.title')} />
      </div>
      {state.step === 'choosing' && (
        <>
          <FileChooser onChoose={actions.choose} />
          <BatchList />
          <ExportForm />
        </>
      )}
      {state.step === 'previewing' && <ImportPreviewForm file={state.file} actions={actions} />}
      {state.step === 'importing' && <ImportProgress {...state} onCancel={actions.cancel} />}
      {state.step === 'done' && <ImportDone imported={state.imported} onClose={actions.reset} />}
    </div>
  )
}
