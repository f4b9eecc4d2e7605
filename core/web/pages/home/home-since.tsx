/** @jsxImportSource ../../kit/jsx */
import type { HomeNews } from '../../../contracts/home'
import { ButtonLink, Card, Icon, Moment } from '../../kit/parts/kit'
import { StateWord } from '../../kit/parts/state-word'
import type { Attention } from './attention'
import type { SaidCard, SaidNews } from './home-cards'
import type { Look } from './home-visits'

interface SinceProps {
  readonly of: SaidNews
  readonly look: Look
}

const iconOf = {
  plain: 'circle-dot',
  good: 'circle-check',
  warn: 'clock',
  bad: 'triangle-alert',
} as const

/** Shows what changed since the person's last visit. */
export const Since = ({ of: { news, unread }, look: { since, isFirst } }: SinceProps) => (
  <Card
    title={isFirst ? 'In the last 7 days' : 'Since your last visit'}
    about={
      isFirst ? (
        'From your next visit on, this shows what changed since your last visit.'
      ) : (
        <Moment at={since} />
      )
    }
  >
    {news.length > 0 && (
      <ul class="brief">
        {news.map((one) => (
          <li key={one.text} class={one.tone ?? 'plain'}>
            <Icon name={iconOf[one.tone ?? 'plain']} />
            <NewsLink of={one} />
          </li>
        ))}
      </ul>
    )}
    {unread.length > 0 && (
      <p>
        <StateWord tone="bad">Unavailable</StateWord> {`${unread.join(', ')}: what is new could not be read.`}
      </p>
    )}
    {news.length === 0 && unread.length === 0 && <p class="hint">Nothing changed.</p>}
  </Card>
)

const NewsLink = ({ of: { text, href } }: { readonly of: HomeNews }) => <a href={href}>{text}</a>

interface NeedsYouProps {
  /** Null without an inbox. */
  readonly of: Attention | null
  /** Work that waits, in the order of the cards. */
  readonly waiting: readonly SaidCard[]
  /** Whether a figure of the page could not be read. Then nobody can say that nothing waits. */
  readonly isInDoubt: boolean
}

/** Says what a person must do now: problems, and the work that waits, each with its next step. */
export function NeedsYou({ of: attention, waiting, isInDoubt }: NeedsYouProps) {
  const { problems, unread } = attention ?? { problems: [], unread: [] }
  const isNothing = problems.length + waiting.length + unread.length === 0
  return (
    <Card title="What needs you now">
      {problems.length + waiting.length > 0 && (
        <ul class="brief problems">
          {problems.map((problem) => (
            <Problem key={problem.key} of={problem} />
          ))}
          {waiting.map((card) => (
            <Waiting key={card.title} of={card} />
          ))}
        </ul>
      )}
      {unread.map(({ title }) => (
        <p key={title.text}>
          <StateWord tone="bad">Unavailable</StateWord> {`${title.text} could not be read.`}
        </p>
      ))}
      {isNothing && !isInDoubt && (
        <p>
          <StateWord tone="good">Nothing waits for you</StateWord>
        </p>
      )}
      {attention && !isNothing && <a href="/app/inbox">Open the inbox</a>}
    </Card>
  )
}

const Problem = ({ of: { key, title, about, at, link } }: { readonly of: Attention['problems'][number] }) => (
  <li>
    <Icon name="circle-x" />
    <div>
      <div class="what">{title.text}</div>
      <div class="hint">
        {about !== undefined && `${about.text} · `}
        <Moment at={at} />
      </div>
    </div>
    <ButtonLink href={link?.href ?? `/app/inbox?entry=${encodeURIComponent(key)}`}>
      {link?.label.text ?? 'Open'}
      <span class="unseen">: {title.text}</span>
    </ButtonLink>
  </li>
)

const Waiting = ({ of: { title, href, link, content } }: { readonly of: SaidCard }) =>
  content && (
    <li class="warn">
      <Icon name="clock" />
      <div>
        <div class="what">
          {title} {content.figure !== undefined && <span class="count">{content.figure}</span>}
        </div>
        <div class="hint">{content.text}</div>
      </div>
      <ButtonLink href={href}>
        {link}
        <span class="unseen">: {title}</span>
      </ButtonLink>
    </li>
  )
