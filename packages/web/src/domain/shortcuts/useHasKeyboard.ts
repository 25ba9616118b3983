import { useMediaQuery } from '@mantine/hooks'

/** Returns false on devices that are only touched. */
export function useHasKeyboard(): boolean {
  return useMediaQuery('(hover: none)', undefined, { getInitialValueInEffect: false }) === false
}
