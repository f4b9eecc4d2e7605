import { hashOf } from '../../framework/assets'
import { chartStyle } from '../../kit/charts/style'
import { tokens } from '../../kit/style/tokens'

/** What only the page of components needs: its colours, and charts. */
export const designRules = `${chartStyle}
.swatches{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.75rem}
.swatch{border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;font-size:.8125rem}.swatch span{display:block;height:3rem}.swatch code{display:block;border-radius:0}
${Object.keys(tokens.light)
  .filter((name) => name !== 'shadow')
  .map((name) => `.swatch .of-${name}{background:var(--${name})}`)
  .join('')}
`

/** Address of the style sheet of the page of components. */
export const designAddress = `/app/assets/${hashOf(designRules)}.css`
