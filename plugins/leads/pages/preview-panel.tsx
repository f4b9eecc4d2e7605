/** @jsxImportSource renown/web */
import { Card, formatCount, formatNumber, Highlight } from 'renown/web'
import { channelNames } from '../records/channel-names'
import type { TypedMistake } from '../tracking/tracker-fields'
import { Posted } from './posted'
import type { PreviewLine, ShownPreview } from './shown-preview'

const fieldWords = { keywords: 'Keywords', required: 'Required', exclude: 'Excluded' } as const

/** What the typed keywords would have matched. `isOld` says that people typed more since. */
export function PreviewPanel({
  preview,
  isOld,
  fault,
}: {
  readonly preview: ShownPreview | null
  readonly isOld: boolean
  readonly fault: string | null
}) {
  return (
    <Card title="Preview" about="Posts that this workspace already has, at most the newest 500.">
      <div class={isOld ? 'stack busy' : 'stack'} aria-live="polite" aria-busy={isOld ? 'true' : undefined}>
        {fault !== null && <p class="hint">{fault}</p>}
        {preview === null ? (
          <p class="hint">Type a keyword to see which posts it would have found.</p>
        ) : preview.mistakes.length > 0 ? (
          <Mistakes of={preview.mistakes} />
        ) : (
          <Matches of={preview} />
        )}
      </div>
    </Card>
  )
}

const Mistakes = ({ of: mistakes }: { readonly of: readonly TypedMistake[] }) => (
  <ul class="mistakes">
    {mistakes.map((one) => (
      <li key={`${one.field} ${one.line} ${one.at}`}>
        {`${fieldWords[one.field]}${one.keyword === '' ? '' : `, line ${one.line}`}: ${one.message}.`}
        {one.keyword !== '' && (
          <code dir="auto">
            <Highlight text={one.keyword} marks={[[one.at, Math.max(one.at + 1, one.at + one.length)]]} />
          </code>
        )}
      </li>
    ))}
  </ul>
)

function Matches({ of: { posts, matched, lines, advice } }: { readonly of: ShownPreview }) {
  return (
    <>
      <p>
        {posts === 0
          ? 'This workspace has no posts to compare with yet. The first ones come when a tracker searches.'
          : `Matches ${formatNumber(matched)} of the last ${formatCount(posts, 'post')}.`}
      </p>
      {advice.length > 0 && (
        <ul class="rules">
          {advice.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {lines.length > 0 && (
        <ul class="preview-lines" aria-label="Posts that match">
          {lines.map((line) => (
            <Line key={line.id} of={line} />
          ))}
        </ul>
      )}
      {matched > lines.length && <p class="hint">{`and ${formatNumber(matched - lines.length)} more`}</p>}
    </>
  )
}

const Line = ({ of: line }: { readonly of: PreviewLine }) => (
  <li>
    <span class="mention-line">
      <bdi class="who">{line.by || 'Unknown author'}</bdi>
      <span class="source-mark">{channelNames[line.source]}</span>
      <span class="when">
        <Posted at={line.at} />
      </span>
    </span>
    {line.title !== '' && (
      <strong dir="auto">
        <Highlight text={line.title} marks={line.marks.title} />
      </strong>
    )}
    <span dir="auto" lang={line.language === 'und' ? undefined : line.language} class="preview-text">
      <Highlight text={line.text} marks={line.marks.text} />
    </span>
  </li>
)
