/** @jsxImportSource renown/web */
import { Card, formatNumber, OutLink, Table } from 'renown/web'
import { sampleWords } from './prompt-grid'
import { intervalWords, percent } from './rate-words'
import type { ShownShare, VisibilityData } from './visibility-data'
import { Whisker } from './whisker'

type Props = { readonly data: VisibilityData }

const shareWords = ({ rate }: ShownShare) => (rate === null ? 'no answers' : percent(rate))
const rangeWords = ({ ci95 }: ShownShare) => (ci95 === null ? '–' : intervalWords(ci95))

/** Whom answers name, and how often instead of the brand. */
export function Competitors({ data }: Props) {
  const { voices, looked_at, tracker } = data
  if (tracker === null) return null
  return (
    <Card
      title="Competitors"
      about={`Share of voice: of all namings of you and your competitors, how many are of each. Questions that name you do not count.${sampleWords(looked_at)}`}
    >
      {voices.length < 2 && <p class="hint">This tracker names no competitors, so only you are counted.</p>}
      <Table
        label="Share of voice"
        columns={[
          'Name',
          'Share',
          'Drawn, 0 to 100 %',
          '95 % interval',
          'Named in',
          'Without you',
          'Average place',
        ]}
        numeric={['Share', '95 % interval', 'Named in', 'Without you', 'Average place']}
        rows={voices.map(({ name, is_brand, share, presence, won, avg_position }) => [
          is_brand ? (
            <strong>
              <bdi>{name}</bdi> (you)
            </strong>
          ) : (
            <bdi>{name}</bdi>
          ),
          shareWords(share),
          <Whisker rate={share.rate} ci95={share.ci95} />,
          rangeWords(share),
          `${formatNumber(presence.k)} of ${formatNumber(presence.n)}`,
          is_brand ? '–' : formatNumber(won),
          avg_position === null ? '–' : avg_position.toFixed(1),
        ])}
      />
    </Card>
  )
}

/** The kinds of sources in words. */
export const kindWords: Readonly<Record<VisibilityData['kinds'][number]['kind'], string>> = {
  own: 'Your site',
  competitor: 'Competitors’ sites',
  review: 'Reviews and directories',
  social: 'Social media and forums',
  news: 'News',
  reference: 'Reference works',
  official: 'Public bodies and schools',
  other: 'Other sites',
}

/** What answers cite: by kind, and the most cited sites. */
export const Sources = ({ data: { kinds, sources, more_sources, looked_at } }: Props) => (
  <Card
    title="Cited sources"
    about={`Answers that cite at least one source of a kind, and the sites that are cited most.${sampleWords(looked_at)}`}
  >
    <Table
      label="Sources by kind"
      columns={['Kind', 'Answers', 'Drawn, 0 to 100 %', '95 % interval']}
      numeric={['Answers', '95 % interval']}
      rows={kinds.map(({ kind, cited }) => [
        kindWords[kind],
        shareWords(cited),
        <Whisker rate={cited.rate} ci95={cited.ci95} />,
        rangeWords(cited),
      ])}
    />
    <Table
      label="Most cited sites"
      columns={['Site', 'Kind', 'Cited in', 'Only consulted']}
      numeric={['Cited in', 'Only consulted']}
      rows={sources.map(({ domain, kind, cited, consulted, page }) => [
        page === null ? <bdi>{domain}</bdi> : <OutLink href={page}>{domain}</OutLink>,
        kindWords[kind],
        `${formatNumber(cited.k)} of ${formatNumber(cited.n)}`,
        formatNumber(consulted),
      ])}
      empty="The answers of this period cite no sources."
    />
    {more_sources > 0 && (
      <p class="hint">{`${formatNumber(more_sources)} more sites are cited or consulted. The API lists them all.`}</p>
    )}
  </Card>
)
