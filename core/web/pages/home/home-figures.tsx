/** @jsxImportSource ../../kit/jsx */
import type { HomeChange } from '../../../contracts/home'
import { Evidence } from '../../kit/parts/evidence'
import { Sparkline } from '../../kit/parts/sparkline'
import { StateWord } from '../../kit/parts/state-word'
import type { SaidCard } from './home-cards'

/**
 * The figures of the workspace, each with its period, its change, a small line and a link to the page that
 * explains it.
 */
export const Figures = ({ of: cards }: { readonly of: readonly SaidCard[] }) =>
  cards.length === 0 ? null : (
    <div class="home-figures">
      {cards.map((card) => (
        <section key={`${card.name} ${card.title}`} class="card" aria-label={card.title}>
          <h2>{card.title}</h2>
          {card.content ? <Said of={card} /> : <Unavailable of={card} />}
        </section>
      ))}
    </div>
  )

const Unavailable = ({ of: { href, link } }: { readonly of: SaidCard }) => (
  <>
    <StateWord tone="bad">Unavailable</StateWord>
    <p class="hint">This figure could not be read. Load the page again in a minute.</p>
    <a href={href}>{link}</a>
  </>
)

function Said({ of: { title, href, link, content } }: { readonly of: SaidCard }) {
  if (!content) return null
  const { figure, change, text, period, series } = content
  return (
    <>
      {figure !== undefined && (
        <p class="figure-line">
          <span class="large">{figure}</span>
          {change && <Changed of={change} />}
        </p>
      )}
      {series && <Sparkline {...series} />}
      <p class="hint">{period === undefined ? text : `${period}. ${text}`}</p>
      <div class="figure-foot">
        <a href={href}>{link}</a>
        <Definition of={content} title={title} />
      </div>
    </>
  )
}

const Changed = ({ of: { text, tone } }: { readonly of: HomeChange }) => {
  const side = tone === 'good' ? 'up' : tone === 'bad' ? 'down' : ''
  return (
    <span class={`change ${side}`}>
      {text}
      <span class="unseen"> compared with the previous period</span>
    </span>
  )
}

function Definition({
  of: { definition, period },
  title,
}: {
  readonly of: NonNullable<SaidCard['content']>
  readonly title: string
}) {
  if (definition === undefined) return null
  const facts = period === undefined ? [] : ([['Period', period]] as const)
  return <Evidence figure="How it is counted" label={title} definition={definition} facts={facts} />
}
