import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/**
 * The design tokens: everything that the app looks like and that is not the shape of one view. Style sheets read them
 * as `--saldo-…`; Mantine's components get them by its theme. One accent; colour never says anything alone.
 */
const petrol: MantineColorsTuple = [
  '#e9f6f4',
  '#d2ebe8',
  '#a6d7d2',
  '#76c2bb',
  '#4db0a8',
  '#2b9a92',
  '#117a74',
  '#0b6e69',
  '#075a56',
  '#044643',
]

const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f2ef',
  '#e9e7e3',
  '#dbd8d3',
  '#c3c0ba',
  '#9c9993',
  '#76746f',
  '#5b5a56',
  '#3d3c3a',
  '#232321',
]

const dark: MantineColorsTuple = [
  '#e4e6e6',
  '#bfc4c4',
  '#9ba2a2',
  '#6f7777',
  '#474e4f',
  '#333a3b',
  '#262c2d',
  '#161a1b',
  '#111415',
  '#0c0e0f',
]

const fontFamily = [
  '-apple-system',
  'BlinkMacSystemFont',
  '"Segoe UI Variable Text"',
  '"Segoe UI"',
  'Roboto',
  '"Helvetica Neue"',
  '"Liberation Sans"',
  'Arial',
  'sans-serif',
].join(', ')

/** Accent colours and the red of deletions come from the tokens below. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const color = input.color ?? input.theme.primaryColor
  const name = color === input.theme.primaryColor ? 'accent' : color === 'red' ? 'error' : undefined
  if (!name) return colors
  switch (input.variant) {
    case 'light':
      return { ...colors, background: `var(--saldo-${name}-soft)`, color: `var(--saldo-${name}-text)` }
    case 'subtle':
      return { ...colors, hover: `var(--saldo-${name}-soft)`, color: `var(--saldo-${name}-text)` }
    case 'filled':
      if (name === 'accent') return colors
      return { ...colors, background: 'var(--saldo-error-fill)', hover: 'var(--saldo-error-fill-hover)' }
    default:
      return colors
  }
}

export const theme = createTheme({
  variantColorResolver,
  colors: { petrol, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  black: '#1d2021',
  fontFamily,
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.125rem', xl: '1.375rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.3' },
  headings: {
    fontFamily,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.2' },
      h2: { fontSize: '1.125rem', lineHeight: '1.3' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '22px' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { fw: 600 },
      // Otherwise the text of a low button is larger than that of a high one.
      vars: (_theme: unknown, { size }: { size?: unknown }) => ({
        root: size === 'compact-md' ? { '--button-fz': 'var(--mantine-font-size-sm)' } : {},
      }),
    },
    // Nearly every field of a form is required; those that are not say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Modal: {
      defaultProps: { centered: true, radius: 'lg', padding: 'lg', overlayProps: { backgroundOpacity: 0.4 } },
      styles: { title: { fontSize: '1.125rem', fontWeight: 650 } },
    },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
    Menu: { defaultProps: { radius: 'md', shadow: 'md', withInitialFocusPlaceholder: false } },
  },
})

/** The tokens that differ between light and dark. */
const shades = {
  light: {
    page: '#fdfdfc',
    side: '#f6f5f2',
    raised: '#ffffff',
    line: '#e4e2dd',
    lineStrong: '#8b8983',
    ink: '#1d2021',
    muted: '#5f6363',
    accent: '#0b6e69',
    accentText: '#0a625d',
    accentSoft: '#e3f1ef',
    accentLine: '#9fcfca',
    breakFill: '#efede8',
    goodText: '#1b6e3a',
    warnText: '#8a4b00',
    warnSoft: '#fdf1de',
    warnLine: '#e8b56b',
    errorText: '#b3261e',
    errorSoft: '#fbeae8',
    errorFill: '#b3261e',
    errorFillHover: '#9c1f18',
    projectLightness: '55%',
  },
  dark: {
    page: '#161a1b',
    side: '#1b2021',
    raised: '#1f2526',
    line: '#2e3536',
    lineStrong: '#7d8686',
    ink: '#e8eaea',
    muted: '#a3abab',
    accent: '#4db0a8',
    accentText: '#6fc7c0',
    accentSoft: '#1c3533',
    accentLine: '#2d6a65',
    breakFill: '#293031',
    goodText: '#7fce97',
    warnText: '#f0b866',
    warnSoft: '#33291a',
    warnLine: '#7d5c25',
    errorText: '#ff9d94',
    errorSoft: '#3a2423',
    errorFill: '#c0362d',
    errorFillHover: '#ac2e26',
    projectLightness: '72%',
  },
} as const

function variablesOf(scheme: keyof typeof shades): Record<string, string> {
  const shade = shades[scheme]
  const own = Object.entries(shade).map(([name, value]) => [
    `--saldo-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ])
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    '--mantine-color-body': shade.page,
    '--mantine-color-text': shade.ink,
    '--mantine-color-dimmed': shade.muted,
    '--mantine-color-placeholder': shade.muted,
    '--mantine-color-error': shade.errorText,
    '--mantine-color-anchor': shade.accentText,
    '--mantine-color-default-border': shade.line,
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf('light'),
  dark: variablesOf('dark'),
})
