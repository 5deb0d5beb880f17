/**
 * What a fork (`u`) copied: its parent's total when it was made, which is the total less what grew since. For use as
 * `(SELECT <expression> <copiedFrom>)`.
 */
export const copiedFrom = `FROM sessions f, sessions o JOIN usage p ON p.session_id = o.id AND p.scope = 'total'
  WHERE f.id = u.session_id AND o.harness = u.harness AND o.sid = u.inherited`

export function copiedTotal(figure: 'unsplit' | 'cost_usd'): string {
  return `p.${figure} - coalesce((SELECT sum(g.${figure}) FROM usage_growth g
    WHERE g.session_id = p.session_id AND g.seen_ms > unixepoch(f.started_at, 'subsec') * 1000), 0)`
}

/** 0: the parent may have grown between the fork and the day deja first saw it, so that the figure is the most it can be. */
export const copiedSure = 'coalesce(p.at <= f.started_at, 0)'
