/** What reads a line and says what it means; loaded when somebody begins to type. @module */
export { certainPlan, changesOfPlan, quickContextOf, readQuickEntry } from '@saldo/client/entries'
export { PlanWords } from './PlanWords.tsx'
