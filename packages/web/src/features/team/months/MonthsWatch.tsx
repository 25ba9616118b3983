import { CorrectionOffer } from './CorrectionOffer.tsx'
import { TrailWatch } from './TrailWatch.tsx'

/** The parts of every page of a user who has months in a company. */
export default function MonthsWatch() {
  return (
    <>
      <TrailWatch />
      <CorrectionOffer />
    </>
  )
}
