import type { ComponentType, SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels, or with a unit of CSS. */
  size?: number | string
  /** Width of the lines of an icon that is not filled, on a grid of 24. */
  stroke?: number
}

export type Icon = ComponentType<IconProps>

/** Returns a component that draws paths on a grid of 24. `build/icons.ts` calls it with those of Tabler. */
export function icon(paths: readonly string[], isFilled: boolean): Icon {
  return ({ size = 24, stroke = 2, ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: An icon without a label is decoration, and hidden.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...(isFilled ? { fill: 'currentColor' } : { fill: 'none', stroke: 'currentColor', strokeWidth: stroke })}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden={rest['aria-label'] === undefined || undefined}
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}
