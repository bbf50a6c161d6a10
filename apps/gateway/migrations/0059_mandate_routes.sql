-- Which connectors new mandates are registered with (docs/decisions/0102-mandates-by-connector.md): a route may be for them too.
alter table capability_routes
  drop constraint capability_routes_capability_known,
  add constraint capability_routes_capability_known check (capability in ('numbers', 'card', 'mandate', 'identity'));
