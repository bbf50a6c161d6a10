#!/bin/sh
# Whether the nodes under a pg_auto_failover monitor have had nobody who takes writes for so many seconds, and
# which node holds it up. On the monitor, as postgres, every half minute:
#   no-primary.sh [seconds]      MONITOR names another database than pg_auto_failover of this machine
# Ends with 0 and says nothing if all is well; else with 2 and a line for each group of nodes.
# What to do then: docs/operate/runbooks/failover-stuck.md
set -eu
seconds=${1:-60}
found=$(psql -X -q -A -t -v ON_ERROR_STOP=1 -v seconds="$seconds" "${MONITOR:-dbname=pg_auto_failover}" <<'SQL'
with node as (
  select *, extract(epoch from now() - reporttime)::int as silent,
    reportedpgisrunning and reporttime > now() - :seconds * interval '1 second'
      and reportedstate in ('single', 'wait_primary', 'primary', 'join_primary', 'apply_settings') as writes
  from pgautofailover.node
)
select 'No primary for ' || extract(epoch from now() - max(statechangetime))::int || ' s in ' || formationid || '/' || groupid || ': '
  || string_agg(nodename || ' is ' || reportedstate || case when goalstate = reportedstate then '' else ', to be ' || goalstate end
    || case when silent > :seconds then ', silent for ' || silent || ' s' else '' end, '; ' order by nodename)
  || coalesce('. ' || string_agg(nodename, ', ') filter (where 'fast_forward' in (reportedstate, goalstate))
    || ' is to fetch from a node that has more, and that may be the one that is gone.', '.')
from node group by formationid, groupid
having not bool_or(writes) and max(statechangetime) < now() - :seconds * interval '1 second'
order by formationid, groupid
SQL
)
[ -z "$found" ] && exit 0
echo "$found"
exit 2
