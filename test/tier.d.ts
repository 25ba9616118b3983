/** True in the heavy tier (`npm run test:heavy`), where tests run with more seeds and in more browsers. */
export declare const isHeavy: boolean
/** Returns how often a property or a seed runs: `standard` times in `npm test`, `heavy` times in the heavy tier. */
export declare function runsOf(standard: number, heavy: number): number
