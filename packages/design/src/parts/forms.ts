// What is pressed and what is typed into.
import { sheet } from '../sheet.ts'

/** One filled button per page. */
export const BUTTONS = sheet(`
.btn { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; min-height: 2.125rem; padding: 0 var(--s-3); border: 1px solid var(--line-2); border-radius: var(--r-md); background: var(--surface); color: var(--ink); font-size: var(--t-sm); font-weight: var(--w-strong); text-decoration: none; white-space: nowrap; box-shadow: var(--shadow-1); transition: background var(--fast) var(--ease), border-color var(--fast) var(--ease); }
.btn:hover { border-color: var(--edge); } .btn .i { margin-left: -.125rem; }
.btn.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); } .btn.main:hover { background: var(--accent-2); border-color: var(--accent-2); }
.btn.bad { color: var(--bad); } .btn.bad.main { background: var(--bad); border-color: var(--bad); color: var(--surface); }
.btn.wide { width: 100%; }
.btn.plain { background: none; border-color: transparent; box-shadow: none; color: var(--accent); } .btn.plain:hover { background: var(--tint); }
`)

/** Label, field, hint, and what is wrong with it. */
export const FIELDS = sheet(`
.form { display: grid; gap: var(--s-5); } .field { display: grid; gap: .3125rem; min-width: 0; } .field > label, .field > .lab { font-weight: var(--w-strong); font-size: var(--t-sm); } .hint { font-size: var(--t-xs); color: var(--soft); } .wrong { font-size: var(--t-sm); color: var(--bad); font-weight: var(--w-strong); display: flex; gap: .375rem; align-items: flex-start; } .wrong .i { margin-top: .15rem; }
.in-t, .field select, .field textarea { width: 100%; min-height: 2.375rem; padding: .375rem var(--s-3); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--r-md); } .in-t::placeholder { color: var(--soft); opacity: 1; } .in-t:focus-visible, .field select:focus-visible { outline-offset: 0; border-color: var(--accent); } .in-t[aria-invalid="true"] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: var(--s-4); align-items: start; }
.tick { display: flex; gap: .625rem; align-items: flex-start; } .tick input:not(.switch) { width: 1.125rem; height: 1.125rem; margin: .125rem 0 0; accent-color: var(--accent); flex: none; }
`)

/** What work screens press and type into beside that: small and busy buttons, switches, amounts. */
export const FORMS_MORE = sheet(`
.btn.sm { min-height: 1.75rem; padding: 0 var(--s-2); font-size: var(--t-xs); } .btn.wide { width: 100%; } .btn.icon { width: 2.125rem; padding: 0; } .btn.icon .i { margin: 0; }
.btn[disabled], .btn[aria-disabled="true"] { background: var(--calm-tint); border-color: var(--line); color: var(--soft); cursor: not-allowed; box-shadow: none; }
.btn[aria-busy="true"]::before { content: ""; width: .875rem; height: .875rem; border-radius: 50%; border: 2px solid currentColor; border-right-color: transparent; animation: turn .8s linear infinite; }
@keyframes turn { to { rotate: 1turn; } }
.right { font-size: var(--t-sm); color: var(--good); display: flex; gap: .375rem; align-items: flex-start; } .right .i { margin-top: .15rem; }
.in-t[readonly] { background: var(--sunken); border-color: var(--line-2); } .in-t.amount { font-size: var(--t-2xl); font-weight: var(--w-strong); letter-spacing: -.02em; min-height: 3.5rem; }
.with { display: flex; align-items: center; border: 1px solid var(--edge); border-radius: var(--r-md); background: var(--surface); overflow: hidden; } .with > span { padding-left: var(--s-3); color: var(--soft); } .with .in-t { border: 0; } .with:focus-within { outline: 2px solid var(--accent); } .with .in-t:focus-visible { outline: 0; }
.switch { appearance: none; width: 2.5rem; height: 1.5rem; border-radius: var(--r-full); background: var(--edge); position: relative; margin: 0; cursor: pointer; flex: none; transition: background var(--calm) var(--ease); } .switch::before { content: ""; position: absolute; inset: 3px auto 3px 3px; width: 1.125rem; border-radius: 50%; background: #fff; transition: translate var(--calm) var(--ease); } .switch:checked { background: var(--accent); } .switch:checked::before { translate: 1rem 0; background: var(--on-accent); }
`)
