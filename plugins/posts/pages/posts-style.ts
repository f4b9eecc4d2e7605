import { previewStyle } from '../approval/preview'

/** CSS rules for the pages of posts only. */
export const postsStyle = `
.posts-board{display:grid;grid-template-columns:minmax(0,1fr) 14rem;gap:1rem;align-items:start}.posts-aside{display:grid;gap:1rem;min-width:0}
.calendar-title{margin:0;font-variant-numeric:tabular-nums}
.weekdays,.calendar.month .days,.calendar.week .days{display:grid;grid-template-columns:repeat(7,minmax(0,1fr))}
.weekdays span{padding:.25rem .5rem;color:var(--dim);font-size:.8125rem}
.days{list-style:none;margin:0;padding:0}.day ul,.posts-list{list-style:none;margin:0;padding:0;display:grid;gap:.25rem}.day li,.posts-list li{margin:0;min-width:0}
.calendar.month .days,.calendar.week .days{border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;gap:1px;background:var(--line)}
.day{background:var(--card);padding:.25rem;margin:0;min-width:0;display:grid;gap:.25rem;align-content:start}.calendar.month .day{min-height:7rem}.calendar.week .day{min-height:20rem}
.day h3{margin:.1rem .25rem;font-size:.8125rem;font-weight:500;font-variant-numeric:tabular-nums}.day.outside h3,.day.outside .post-words{color:var(--dim)}.day.today .short{background:var(--accent);color:var(--on-accent);border-radius:99px;padding:.05rem .4rem}
.day .long{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.calendar.list .days{display:grid;gap:1rem}.calendar.list .day{border:1px solid var(--line);border-radius:var(--radius);padding:.75rem}.calendar.list .short{display:none}.calendar.list .long{position:static;width:auto;height:auto;clip-path:none}
.post-link{display:grid;gap:.1rem;padding:.3rem .4rem;border-radius:6px;background:var(--soft);color:var(--ink);text-decoration:none;min-width:0;font-size:.8125rem}.calendar.month .post-link{padding:.25rem;font-size:.75rem}.post-link:hover{background:var(--accent-soft)}
.post-top{display:flex;flex-wrap:wrap;gap:0 .4rem;align-items:center;font-variant-numeric:tabular-nums}.post-words{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.post-foot{display:flex;gap:.4rem;min-width:0;color:var(--dim)}.post-foot bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}.post-target{white-space:nowrap}
.calendar.month .post-foot bdi{display:none}
.day .choosable,.posts-list .choosable{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .4rem}.day .choosable>input{margin-inline-start:0}.posts-list .choosable>input{margin-inline-start:0}.posts-list .choosable>.hint{grid-column:2}
.posts-list .hint{margin:.1rem .4rem .4rem;overflow-wrap:anywhere}
.detail-halves{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1.5rem;align-items:start}.detail-halves>div{display:grid;gap:1.5rem;min-width:0}
@media (max-width:64rem){.posts-board,.detail-halves{grid-template-columns:minmax(0,1fr)}.posts-aside{display:contents}.posts-board>.calendar,.posts-board>.empty{order:1}.group-draft{order:2}}
.posts-aside .card{padding:.75rem}.detail-halves form.inline .field{min-width:0}
@media (max-width:48rem){.weekdays{display:none}.calendar.month .days,.calendar.week .days{display:grid;grid-template-columns:minmax(0,1fr);background:none;border:0;gap:.75rem}.calendar .day{border:1px solid var(--line);border-radius:var(--radius);padding:.75rem}.calendar.month .day,.calendar.week .day{min-height:0}.calendar .day.empty,.calendar .day.outside{display:none}.day .short{display:none}.day .long{position:static;width:auto;height:auto;clip-path:none}.calendar.month .post-foot bdi{display:inline}.post-link,.calendar.month .post-link{padding:.6rem;font-size:.8125rem}}
@media (min-width:48.01rem){.none-planned{display:none}}
${previewStyle}
`
