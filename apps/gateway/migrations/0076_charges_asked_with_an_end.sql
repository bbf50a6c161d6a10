-- A charge whose acquirer says nothing is asked about for a week. From then on people decide, and no timer asks.
alter table card_charges add column asking_ended_at timestamptz;
create index card_charges_left_to_people on card_charges (id) where asking_ended_at is not null and closed_at is null;
