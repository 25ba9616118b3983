export { type Answers, type Drafted, draftImport, findQuestions, hasLocalTimes, type Question } from './draft.ts'
export {
  type ColumnMapping,
  columnFields,
  type ImportFile,
  importFormats,
  type Oddity,
  type SkipReason,
  type SourceFile,
  UnreadableFileError,
} from './file.ts'
export { closeExported, type ImportOptions, runImport, undoImport } from './import.ts'
export { type ImportPreview, previewImport } from './preview.ts'
export { readImportFile } from './read.ts'
