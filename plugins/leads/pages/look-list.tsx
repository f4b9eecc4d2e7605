/** @jsxImportSource renown/web */
import { Moment, StateWord } from 'renown/web'
import type { SourceLook } from './look-state'

/** How each source is read, in words. */
export const LookList = ({ of: looks }: { readonly of: readonly SourceLook[] }) =>
  looks.length === 0 ? (
    <p class="hint">No source can be searched for these keywords.</p>
  ) : (
    <ul class="source-looks" aria-label="Sources">
      {looks.map((look) => (
        <li key={look.name}>
          <span class="look-name">{look.label}</span>
          <Look of={look} />
          {look.notes.length > 0 && (
            <ul class="look-notes hint">
              {look.notes.map((note) => (
                <li key={note}>
                  <bdi>{note}</bdi>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )

function Look({ of: { state, why, read_at, next_at } }: { readonly of: SourceLook }) {
  if (state === 'needs')
    return (
      <>
        <StateWord icon="circle-minus">Needs a setting</StateWord>
        <span class="hint">
          Set <code>{why}</code>.
        </span>
      </>
    )
  if (state === 'failing')
    return (
      <>
        <StateWord tone="bad">Failed</StateWord>
        <span class="hint">
          <bdi>{why}</bdi>
          {next_at !== null && (
            <>
              {' '}
              Next try: <Moment at={next_at} />.
            </>
          )}
        </span>
      </>
    )
  if (state === 'read')
    return (
      <>
        <StateWord tone="good">Read</StateWord>
        <span class="hint">
          <Moment at={read_at ?? undefined} />
          {next_at !== null && (
            <>
              . Next: <Moment at={next_at} />
            </>
          )}
        </span>
      </>
    )
  return <StateWord tone="warn">{state === 'looking' ? 'Looking now' : 'Starts in a minute'}</StateWord>
}
