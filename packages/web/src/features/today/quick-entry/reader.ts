/** The reader of a line with the words for its plans: loaded when somebody begins to type. @module */
export { certainPlan, changesOfPlan, quickContextOf, readQuickEntry } from '@saldo/client/entries'
export { PlanWords } from './PlanWords.tsx'
