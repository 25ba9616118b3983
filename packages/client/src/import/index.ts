/** Imports the files of other tools as records. @module */

export { type Batch, listBatches } from './batches.ts'
export { importLimits, ReadBudget } from './budget.ts'
export { type DraftedImport, draftImport } from './draft.ts'
export {
  type ColumnMapping,
  columnFields,
  type ImportFile,
  type ImportFormat,
  type ImportLimit,
  importFormats,
  type Oddity,
  type SkipReason,
  type SourceFile,
  type TableColumns,
  UnreadableFileError,
} from './file.ts'
export { closeExported, type ImportOptions, runImport, undoImport } from './import.ts'
export { type AccountNow, type ImportPreview, previewImport, readAccountNow } from './preview.ts'
export {
  findQuestions,
  hasLocalTimes,
  type ImportAnswers,
  type Question,
  questionsToShow,
} from './questions.ts'
export { readImportFile, readLines, readTableHead, type TableHead } from './read.ts'
export { decodeText } from './text.ts'
export { findDateOrder } from './values.ts'
