-- A merchant may owe what two people of the operator corrected, and not only what a bank reversed: each change says by which break.
alter table receivable_moves add column break_id bigint; -- of the correction by which it became owed; null: not by a correction
alter table receivable_moves add constraint receivable_moves_of_a_correction check (kobo > 0 or break_id is null);
alter table receivable_moves add constraint receivable_moves_of_one_cause check (break_id is null or reversal_reference is null);
