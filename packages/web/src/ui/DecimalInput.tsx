import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useFormat } from '../context/FormatProvider.tsx'

/** A field for a number with decimals: it shows the separator of the language, and takes a point and a comma. */
export function DecimalInput(props: NumberInputProps) {
  const format = useFormat()
  return <NumberInput decimalSeparator={format.decimalSeparator} allowedDecimalSeparators={['.', ',']} {...props} />
}
