/** @jsxImportSource renown/web */

const pages = [
  ['/app/reviews', 'All reviews'],
  ['/app/reviews/overview', 'Overview'],
  ['/app/reviews/approve', 'Approve drafts'],
  ['/app/reviews/counts', 'Counts'],
  ['/app/reviews/rules', 'Reply rules'],
  ['/app/reviews/links', 'Review links'],
] as const

/** Links between the pages about reviews. */
export const Subnav = ({ path }: { readonly path: string }) => (
  <nav class="subnav" aria-label="Reviews">
    {pages.map(([href, label]) => (
      <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
)
