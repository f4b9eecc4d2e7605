/** @jsxImportSource renown/web */

export interface StarsProps {
  readonly stars: number | null
  /** The recommendation on a platform without stars. */
  readonly recommends?: boolean | null
}

/** Shows a rating as stars, and as text for screen readers. */
export function Stars({ stars, recommends = null }: StarsProps) {
  if (stars === null) {
    const words = recommends === null ? 'No stars' : recommends ? 'Recommends' : 'Does not recommend'
    return <span class="stars none">{words}</span>
  }
  return (
    <span class={stars <= 2 ? 'stars low' : 'stars'} role="img" aria-label={`${stars} of 5 stars`}>
      {'★'.repeat(stars)}
      <span class="off">{'★'.repeat(5 - stars)}</span>
    </span>
  )
}
