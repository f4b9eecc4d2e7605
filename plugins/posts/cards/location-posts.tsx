/** @jsxImportSource renown/web */
import { ButtonLink, Card, Facts, Moment, type PageCardProps, Row } from 'renown/web'

/** The data of the card. */
export interface LocationPosts {
  readonly id: string
  readonly next: { readonly id: string; readonly when: string } | null
  readonly last: { readonly id: string; readonly at: string } | null
  readonly targets: readonly string[]
}

/** A card with the next and the last post of the location, and its targets. */
export default function LocationPostsCard({ data }: PageCardProps<LocationPosts>) {
  const { id, next, last, targets } = data
  return (
    <Card title="Posts">
      <Facts
        of={[
          [
            'Next',
            next ? (
              <a key="next" href={`/app/posts/post?post=${next.id}`}>
                {next.when}
              </a>
            ) : (
              'None scheduled'
            ),
          ],
          [
            'Last',
            last ? (
              <a key="last" href={`/app/posts/post?post=${last.id}`}>
                <Moment at={last.at} still />
              </a>
            ) : (
              'None published'
            ),
          ],
          ['Targets', targets.length === 0 ? 'None connected' : targets.join(', ')],
        ]}
      />
      <Row>
        <ButtonLink href={`/app/posts/new?location=${id}`}>New post</ButtonLink>
        <a href={`/app/posts?location=${id}`}>Calendar</a>
        <a href={`/app/posts/targets?location=${id}`}>Targets</a>
      </Row>
    </Card>
  )
}
