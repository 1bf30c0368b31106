"""What the public test set asks for, by name, so that nothing generated shares a name with it."""

from typing import Final

__all__ = ["TEST_SET_NAMES"]

TEST_SET_NAMES: Final = frozenset({
    "bug_report_batch", "camera_review", "clinical_trial", "conference_schedule", "config_snippet_audit",
    "customer_email_thread", "dialogue_sample", "event_ticket_booking", "gpu_review", "interview_transcript_segment",
    "invoice", "job_posting", "log_parser_examples", "pr_discussion", "real_estate_listing", "recipe",
    "rental_car_booking", "repro_steps_batch", "scientific_experiment", "screenplay_scene", "short_story_chapter",
    "support_ticket_batch", "terminal_session_notes", "travel_itinerary",
})  # fmt: skip
