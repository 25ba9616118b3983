/** Returns a ref that keeps a field's form from being submitted while there is a problem. */
export function reportInvalid(problem: string | undefined): (field: HTMLInputElement | null) => void {
  return (field) => field?.setCustomValidity(problem ?? '')
}
